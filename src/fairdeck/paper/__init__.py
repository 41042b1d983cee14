"""Things for the table, on paper: mats and instruction sheets, true to the millimetre.

    mat or plan -> pages of marks (`marks`, in millimetres) -> `svg` or `pdf`

`sizes` has papers and cards. `look` gives each row of the mat a colour and a pattern, the same as on the screen.
`mat` and `sheet` lay things out. Only `pdf` and QR codes need a library.
"""
