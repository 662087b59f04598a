/* Nothing but timeouts: what may end is asked of no state that a step passes through. */
chan c = [0] of { byte };
active [2] proctype P() { do :: c?_ :: timeout od }
