" Promela models.
if exists('b:current_syntax')
  finish
endif

syntax case match

syntax keyword promelaDeclaration D_proctype active hidden inline init local ltl never notrace proctype show trace typedef
syntax keyword promelaType        bit bool byte chan int mtype of pid short unsigned
syntax keyword promelaControl     atomic break d_step do else fi for goto if od return run select unless
syntax keyword promelaStatement   assert c_code c_decl c_expr c_state c_track printf printm priority provided set_priority skip xr xs
syntax keyword promelaFunction    empty enabled eval full get_priority len nempty nfull pc_value
syntax keyword promelaConstant    false np_ timeout true
syntax keyword promelaTodo        TODO FIXME XXX contained
syntax match   promelaSpecial     /\<_\%(pid\|nr_pr\|last\|priority\)\?\>/
syntax match   promelaNumber      /\<\d\+\>/
syntax match   promelaCharacter   /'\\\?.'/
syntax match   promelaSymbol      /->\|::\|\.\.\|!!\|??\|==\|!=\|<=\|>=\|&&\|||\|++\|--\|[&|!=<>?+*\/%^~@-]/
syntax match   promelaLabel       /^\s*\zs\h\w*\ze\s*:\%([^:]\|$\)/
syntax match   promelaPreprocess  /^\s*#\s*\w\+/
syntax match   promelaComment     /\/\/.*$/ contains=promelaTodo,@Spell
syntax region  promelaComment     start=+/\*+ end=+\*/+ contains=promelaTodo,@Spell
syntax region  promelaString      start=+"+ skip=+\\"+ end=+"+ oneline

highlight default link promelaDeclaration Structure
highlight default link promelaType        Type
highlight default link promelaControl     Conditional
highlight default link promelaStatement   Statement
highlight default link promelaFunction    Function
highlight default link promelaConstant    Constant
highlight default link promelaTodo        Todo
highlight default link promelaSpecial     Special
highlight default link promelaNumber      Number
highlight default link promelaCharacter   Character
highlight default link promelaSymbol      Operator
highlight default link promelaLabel       Label
highlight default link promelaPreprocess  PreProc
highlight default link promelaComment     Comment
highlight default link promelaString      String

let b:current_syntax = 'promela'
