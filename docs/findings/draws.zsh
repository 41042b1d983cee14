local -A drawn
integer n told
for n in {0..1030}; do
    drawn[$n]=$RANDOM
    if (( n > 30 )); then
        (( told += ((drawn[$n] - drawn[$((n - 31))] - drawn[$((n - 3))]) & 32767) < 2 ))
    fi
done
print "$told of 1000 draws are the sum of those 31 and 3 draws before, or 1 more"
