/* Symmetric but for a guard that names _pid's cell; the array is a constant, and so is who holds an atomic step. */
byte a[5];
proctype P() { a[_pid] != 0; skip }
init { atomic { run P(); run P(); run P() } }
