" Murphi models and files of properties. A .m file may be something else: one of Murphi's own words decides.
autocmd BufRead,BufNewFile *.murphi,*.props setfiletype murphi
autocmd BufRead *.m if search('\c\v^\s*(startstate|ruleset|rule|invariant)>', 'nw') | setfiletype murphi | endif
