/* Processes in a ring: the group is that of the rotations. */
byte token[4];
active [4] proctype node() { do :: token[_pid] == 0 -> token[_pid] = 1 :: token[(_pid + 1) % 4] == 1 -> token[_pid] = 0 od }
