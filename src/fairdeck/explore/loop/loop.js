// Why the obvious loop is biased: its paths walked, counted and divided; the right loop, and how to draw one of n from bits.

import { openChapters } from "../scripts/chapters.js";
import { openFrame } from "../scripts/frame.js";
import { readFour, readSum } from "./arithmetic.js";
import { openCoins, readBits } from "./coins.js";
import { openHat, readHat } from "./hat.js";
import { openWalk, readWalk } from "./walk.js";

openFrame();
openWalk();
openHat();
openCoins();
openChapters([readWalk, readSum, readFour, readHat, readBits]);
