# Decks shuffled with Tcl's rand(), one on each line: tclsh shuffles.tcl CARDS
set cards [lindex $argv 0]
while 1 {
    set deck {}
    for {set i 0} {$i < $cards} {incr i} {lappend deck $i}
    for {set i [expr {$cards - 1}]} {$i > 0} {incr i -1} {
        set j [expr {int(rand() * ($i + 1))}]
        set card [lindex $deck $i]
        lset deck $i [lindex $deck $j]
        lset deck $j $card
    }
    if {[catch {puts $deck}]} {exit 0}
}
