" Murphi, in the dialects of CMurphi and rumur, with the properties of Noether.
if exists('b:current_syntax')
  finish
endif

syntax case ignore

syntax keyword murphiStatement   alias assert assume begin by case clear cover do else elsif end endalias endchoose endexists
syntax keyword murphiStatement   endfor endforall endfunction endif endprocedure endrecord endrule endruleset endstartstate
syntax keyword murphiStatement   endswitch endwhile error for if of put return switch then to undefine while
syntax keyword murphiStatement   multisetadd multisetremove multisetremovepred
syntax keyword murphiDeclaration choose const externfun externproc function procedure rule ruleset startstate type var
syntax keyword murphiType        array boolean enum multiset real record scalarset union
syntax keyword murphiProperty    ctl fair fairness final invariant liveness ltl pctl
syntax keyword murphiOperator    exists forall ismember isundefined multisetcount
syntax keyword murphiConstant    false true undefined
syntax match   murphiTemporal    /\C\<\%(A[FGX]\|E[FGPXY]\)\>/
syntax match   murphiTemporal    /\C\<[AE]\ze\s*\[/
syntax match   murphiNumber      /\<\d\+\>/
syntax match   murphiSymbol      /:=\|==>\|->\|\.\.\|!=\|<=\|>=\|[&|!=<>?+*\/%-]/
syntax match   murphiSymbol      /[∀∃≔≥≤≠→⇒¬∧∨÷∕−×]/
syntax match   murphiComment     /--.*$/ contains=murphiExpected,murphiTodo,@Spell
syntax region  murphiComment     start=+/\*+ end=+\*/+ contains=murphiTodo,@Spell
" The expected result that models carry in their head: -- noether: verdict=holds states=42
syntax match   murphiExpected    /\<noether: .*$/ contained
syntax keyword murphiTodo        TODO FIXME XXX contained
syntax region  murphiString      start=+"+ skip=+\\\\\|\\"+ end=+"+ oneline contains=@Spell
syntax region  murphiString      start=+“+ end=+”+ oneline contains=@Spell

highlight default link murphiStatement   Statement
highlight default link murphiDeclaration Structure
highlight default link murphiType        Type
highlight default link murphiProperty    PreProc
highlight default link murphiOperator    Operator
highlight default link murphiConstant    Constant
highlight default link murphiTemporal    Special
highlight default link murphiNumber      Number
highlight default link murphiSymbol      Operator
highlight default link murphiComment     Comment
highlight default link murphiExpected    SpecialComment
highlight default link murphiTodo        Todo
highlight default link murphiString      String

let b:current_syntax = 'murphi'
