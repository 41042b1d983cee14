"""Things for the table, on paper: mats and instruction sheets, true to the millimetre.

    mat or plan -> pages of marks (`marks`, in millimetres) -> `svg` or `pdf`

`sizes` has papers and cards, `lettering` the widths of letters. `mat` and `sheet` lay things out. Only `pdf` and QR
codes need a library.
"""
