" PRISM models and properties. Of extensions that others use, too, PRISM's own words decide.
autocmd BufRead,BufNewFile *.prism,*.nm,*.pctl,*.csl set filetype=prism
autocmd BufRead *.pm,*.sm if search('\C\v^\s*(dtmc|ctmc|mdp|probabilistic|stochastic|nondeterministic)\s*$', 'nw') | set filetype=prism | endif
autocmd BufRead *.props if search('\C\v<(P|S|R|Pmax|Pmin|Rmax|Rmin|filter)>\s*([<>=?{(]|max|min)', 'nw') | set filetype=prism | endif
