-- expect: error: the model has no start state
-- hint: add: startstate begin ... end;

-- nothing here
