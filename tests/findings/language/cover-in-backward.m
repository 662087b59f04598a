-- The goal stands in a function that a rule calls: it is no state that a search backward could start from.
var
  done, lamp: boolean;
function switched(): boolean;
begin
  cover done "it was done before";
  return !lamp;
end;
startstate begin done := false; lamp := false; end;
rule "do" begin done := true; end;
rule "switch" begin lamp := switched(); end;
