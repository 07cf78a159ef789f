// A bamboo after Li 2012, section 2.3, in its notation: light side shoots turn to the left and the
// right in turn, and grow only every other step.
n = 26
mass = 0.55     // of the joint before the first [kg]
length = 0.24   // of the joint before the first [m]
density = 700   // [kg/m^3]
start -> F 0.98 0.98 N left
left -> F 0.98 0.93 [T 30 N left_a] N right
right -> F 0.98 0.93 [T -30 N right_a] N left
left_a -> N left_b
left_b -> F 0.9 0.3 T 4 N left_c
left_c -> N left_d
left_d -> F 0.97 0.75 T 4 N left_c
right_a -> N right_b
right_b -> F 0.9 0.3 T -4 N right_c
right_c -> N right_d
right_d -> F 0.97 0.75 T -4 N right_c
