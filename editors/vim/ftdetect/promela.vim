" Promela models.
autocmd BufRead,BufNewFile *.pml,*.promela set filetype=promela
