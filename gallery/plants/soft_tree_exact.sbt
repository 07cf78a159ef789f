// The branching tree of document 004, figure 3, with the document's own factors and angles. The figure
// prints "F 0.9 0.5" and "F 0.9 0.33"; its text says that segments are only a little shorter than their
// parents while masses fall exponentially, so 0.9 is the length and 0.5, 0.33 the mass. Here the mass is
// written first.
n = 5
mass = 30       // of the branch before the first [kg]
length = 0.9    // of the branch before the first [m]
density = 900   // [kg/m^3]
start -> F 0.5 0.9 N zero
zero -> F 0.33 0.9 [T 30 N zero] F 0.33 0.9 [T -30 N zero] T 30 N zero
