"""Things for the table, on paper: mats and instruction sheets, true to the millimetre.

    mat or plan -> drawings (`drawing`, in millimetres) -> `svg` or `pdf`

`sizes` knows papers and cards; `look` says how a space of the mat is told from others, in print as
on the screen; `mat` and `sheet` lay things out. Only `pdf` needs a library, and so do QR codes.
"""
