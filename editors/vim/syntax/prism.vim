" PRISM models and properties.
if exists('b:current_syntax')
  finish
endif

syntax case match

syntax keyword prismDeclaration const endinit endinvariant endmodule endobservables endrewards endsystem formula func
syntax keyword prismDeclaration global init invariant label module observable observables prob rate rewards system
syntax keyword prismKind        ctmc dtmc mdp nondeterministic pomdp popta probabilistic pta stochastic
syntax keyword prismType        bool clock double int
syntax keyword prismProperty    A C E F G I P Pmax Pmin R Rmax Rmin S U W X filter
syntax keyword prismFunction    max min
syntax keyword prismConstant    false true
syntax match   prismNumber      /\<\d\+\%(\.\d\+\)\?\%([eE][-+]\?\d\+\)\?\>/
syntax match   prismSymbol      /->\|<=>\|=>\|<-\|\.\.\|!=\|<=\|>=\|[&|!=<>?+*\/^'-]/
syntax match   prismAction      /^\s*\zs\[\w*\]/
syntax match   prismComment     /\/\/.*$/ contains=prismExpected,prismTodo,@Spell
syntax region  prismComment     start=+/\*+ end=+\*/+ contains=prismTodo,@Spell
" The expected result that properties carry above them: // RESULT: 1/2
syntax match   prismExpected    /\<RESULT.*$/ contained
syntax keyword prismTodo        TODO FIXME XXX contained
syntax region  prismString      start=+"+ end=+"+ oneline

highlight default link prismDeclaration Structure
highlight default link prismKind        PreProc
highlight default link prismType        Type
highlight default link prismProperty    Special
highlight default link prismFunction    Function
highlight default link prismConstant    Constant
highlight default link prismNumber      Number
highlight default link prismSymbol      Operator
highlight default link prismAction      Label
highlight default link prismComment     Comment
highlight default link prismExpected    SpecialComment
highlight default link prismTodo        Todo
highlight default link prismString      String

let b:current_syntax = 'prism'
