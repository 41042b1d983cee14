set told 0
set last [expr {rand()}]
for {set n 0} {$n < 1000} {incr n} {
    set foretold [expr {fmod(16807 * $last, 1)}]
    set last [expr {rand()}]
    incr told [expr {abs($last - $foretold) < 0.0001}]
}
puts "$told of 1000 draws are 16807 times the draw before, modulo 1"
