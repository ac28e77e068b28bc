set terminal svg size 960,866 fixed noenhanced font 'DejaVu Sans,11' background rgb '#FFFFFF'
set encoding utf8
set multiplot
set style line 100 linecolor rgb '#222222' linewidth 1
set border 3 linestyle 100
set tics out nomirror textcolor rgb '#222222' font ',10'
unset key
set label 'small plane' at screen 0.01250, screen 0.98037 left front font ',14' textcolor rgb '#222222'
set label 'as written' at screen 0.06667, screen 0.94919 left front font ',12' textcolor rgb '#222222'
set label 'latency of 48 configurations that changed' at screen 0.81250, screen 0.94919 right front font ',9' textcolor rgb '#888888'
$data0 << END_OF_DATA
3 0.281
6 0.318
9 0.318
12 0.355
15 0.355
18 0.355
21 0.355
24 0.355
27 0.355
30 0.355
END_OF_DATA
$data1 << END_OF_DATA
5 0.5
30 1
END_OF_DATA
$data2 << END_OF_DATA
3 0.281
6 0.281
9 0.196
12 0.226
15 0.226
18 0.226
21 0.226
24 0.226
27 0.226
30 0.226
END_OF_DATA
$data3 << END_OF_DATA
5 0.4
END_OF_DATA
$data4 << END_OF_DATA
3 0.09
6 0.097
9 0.108
12 0.149
15 0.149
18 0.149
21 0.149
24 0.149
27 0.149
30 0.149
END_OF_DATA
$data5 << END_OF_DATA
5 0.2
END_OF_DATA
set arrow from screen 0.82500, screen 0.90358 to screen 0.84896, screen 0.90358 nohead dashtype 1 linewidth 2 linecolor rgb '#D55E00'
set label 'p99' at screen 0.85521, screen 0.90358 left front font ',10' textcolor rgb '#222222'
set arrow from screen 0.82500, screen 0.88626 to screen 0.84896, screen 0.88626 nohead dashtype 2 linewidth 2 linecolor rgb '#0072B2'
set label 'p90' at screen 0.85521, screen 0.88626 left front font ',10' textcolor rgb '#222222'
set arrow from screen 0.82500, screen 0.86894 to screen 0.84896, screen 0.86894 nohead dashtype 3 linewidth 2 linecolor rgb '#222222'
set label 'p50' at screen 0.85521, screen 0.86894 left front font ',10' textcolor rgb '#222222'
set label 'points: the document' at screen 0.84271, screen 0.85162 left front font ',10' textcolor rgb '#222222'
set lmargin at screen 0.06667
set rmargin at screen 0.81250
set tmargin at screen 0.90993
set bmargin at screen 0.69053
set autoscale
unset logscale
set border 3 linestyle 100
set xtics out nomirror scale 1 textcolor rgb '#222222' font ',10'
set ytics out nomirror scale 1 textcolor rgb '#222222' font ',10'
set xrange [0:30]
set xtics autofreq format '%g'
set yrange [0:1.1]
set ytics autofreq format '%g s'
plot $data0 using 1:2 with steps linewidth 2 dashtype 1 linecolor rgb '#D55E00', \
     $data1 using 1:2 with points pointtype 5 pointsize 0.7 linecolor rgb '#D55E00', \
     $data2 using 1:2 with steps linewidth 2 dashtype 2 linecolor rgb '#0072B2', \
     $data3 using 1:2 with points pointtype 7 pointsize 0.7 linecolor rgb '#0072B2', \
     $data4 using 1:2 with steps linewidth 2 dashtype 3 linecolor rgb '#222222', \
     $data5 using 1:2 with points pointtype 9 pointsize 0.7 linecolor rgb '#222222'
unset label
unset object
unset arrow
set label 'without a cache' at screen 0.06667, screen 0.63972 left front font ',12' textcolor rgb '#222222'
set label 'latency of 48 configurations that changed' at screen 0.81250, screen 0.63972 right front font ',9' textcolor rgb '#888888'
$data6 << END_OF_DATA
3 0.281
6 0.319
9 0.319
12 0.365
15 0.365
18 0.365
21 0.365
24 0.365
27 0.365
30 0.365
END_OF_DATA
$data7 << END_OF_DATA
3 0.281
6 0.281
9 0.196
12 0.228
15 0.228
18 0.228
21 0.228
24 0.228
27 0.228
30 0.228
END_OF_DATA
$data8 << END_OF_DATA
3 0.09
6 0.097
9 0.109
12 0.151
15 0.151
18 0.151
21 0.151
24 0.151
27 0.151
30 0.151
END_OF_DATA
set arrow from screen 0.82500, screen 0.59411 to screen 0.84896, screen 0.59411 nohead dashtype 1 linewidth 2 linecolor rgb '#D55E00'
set label 'p99' at screen 0.85521, screen 0.59411 left front font ',10' textcolor rgb '#222222'
set arrow from screen 0.82500, screen 0.57679 to screen 0.84896, screen 0.57679 nohead dashtype 2 linewidth 2 linecolor rgb '#0072B2'
set label 'p90' at screen 0.85521, screen 0.57679 left front font ',10' textcolor rgb '#222222'
set arrow from screen 0.82500, screen 0.55947 to screen 0.84896, screen 0.55947 nohead dashtype 3 linewidth 2 linecolor rgb '#222222'
set label 'p50' at screen 0.85521, screen 0.55947 left front font ',10' textcolor rgb '#222222'
set lmargin at screen 0.06667
set rmargin at screen 0.81250
set tmargin at screen 0.60046
set bmargin at screen 0.38106
set autoscale
unset logscale
set border 3 linestyle 100
set xtics out nomirror scale 1 textcolor rgb '#222222' font ',10'
set ytics out nomirror scale 1 textcolor rgb '#222222' font ',10'
set xrange [0:30]
set xtics autofreq format '%g'
set yrange [0:0.4015]
set ytics autofreq format '%g s'
plot $data6 using 1:2 with steps linewidth 2 dashtype 1 linecolor rgb '#D55E00', \
     $data7 using 1:2 with steps linewidth 2 dashtype 2 linecolor rgb '#0072B2', \
     $data8 using 1:2 with steps linewidth 2 dashtype 3 linecolor rgb '#222222'
unset label
unset object
unset arrow
set label 'slower' at screen 0.06667, screen 0.33025 left front font ',12' textcolor rgb '#222222'
set label 'latency of 46 configurations that changed' at screen 0.81250, screen 0.33025 right front font ',9' textcolor rgb '#888888'
set label 'time (s)' at screen 0.43958, screen 0.02079 center front font ',10' textcolor rgb '#222222'
$data9 << END_OF_DATA
3 0.562
6 0.836
9 0.836
12 1.597
15 3.088
18 3.088
21 3.088
24 3.088
27 3.088
30 3.088
END_OF_DATA
$data10 << END_OF_DATA
3 0.562
6 0.562
9 0.478
12 0.836
15 1.572
18 1.572
21 1.572
24 1.572
27 1.572
30 1.572
END_OF_DATA
$data11 << END_OF_DATA
3 0.18
6 0.28
9 0.313
12 0.359
15 0.362
18 0.362
21 0.362
24 0.362
27 0.362
30 0.362
END_OF_DATA
set arrow from screen 0.82500, screen 0.28464 to screen 0.84896, screen 0.28464 nohead dashtype 1 linewidth 2 linecolor rgb '#D55E00'
set label 'p99' at screen 0.85521, screen 0.28464 left front font ',10' textcolor rgb '#222222'
set arrow from screen 0.82500, screen 0.26732 to screen 0.84896, screen 0.26732 nohead dashtype 2 linewidth 2 linecolor rgb '#0072B2'
set label 'p90' at screen 0.85521, screen 0.26732 left front font ',10' textcolor rgb '#222222'
set arrow from screen 0.82500, screen 0.25000 to screen 0.84896, screen 0.25000 nohead dashtype 3 linewidth 2 linecolor rgb '#222222'
set label 'p50' at screen 0.85521, screen 0.25000 left front font ',10' textcolor rgb '#222222'
set lmargin at screen 0.06667
set rmargin at screen 0.81250
set tmargin at screen 0.29099
set bmargin at screen 0.07159
set autoscale
unset logscale
set border 3 linestyle 100
set xtics out nomirror scale 1 textcolor rgb '#222222' font ',10'
set ytics out nomirror scale 1 textcolor rgb '#222222' font ',10'
set xrange [0:30]
set xtics autofreq format '%g'
set yrange [0:3.3968000000000003]
set ytics autofreq format '%g s'
plot $data9 using 1:2 with steps linewidth 2 dashtype 1 linecolor rgb '#D55E00', \
     $data10 using 1:2 with steps linewidth 2 dashtype 2 linecolor rgb '#0072B2', \
     $data11 using 1:2 with steps linewidth 2 dashtype 3 linecolor rgb '#222222'
unset label
unset object
unset arrow
unset multiplot
