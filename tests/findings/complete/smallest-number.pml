/* -2^31 is a number here. In a cell it stands for "undefined", and a condition with it was not true where it was. */
byte x;
byte seen[2];
bit side;

active [2] proctype P()
{
    int least = (-2147483647 - 1);
    (x * least) <= 1 && seen[side % 2] != 0;
    do
    :: x = 256
    od
}

active proctype Q()
{
    do
    :: seen[1] >= 0
    od
}
