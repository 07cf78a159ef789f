// The bamboo of Li 2012, section 2.3, with the factors that its text gives: F 0.98 0.5 for the stem, and a
// small mass for the shoots. They turn to the left and the right in turn and grow only every other step.
n = 16
mass = 10       // of the joint before the first [kg]
length = 0.3    // of the joint before the first [m]
density = 700   // [kg/m^3]
start -> F 0.98 0.5 N left
left -> F 0.98 0.5 [T 30 N left_a] N right
right -> F 0.98 0.5 [T -30 N right_a] N left
left_a -> N left_b
left_b -> F 0.98 0.1 N left_c
left_c -> N left_d
left_d -> F 0.98 0.5 N left_c
right_a -> N right_b
right_b -> F 0.98 0.1 N right_c
right_c -> N right_d
right_d -> F 0.98 0.5 N right_c
