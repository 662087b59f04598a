var x: 0..2;
startstate begin x := 0; end;
rule x = 0 ==> begin x := 2; end;
final "all done" x = 1;
final x = 0;
