// What fully random means: shuffles as lines, orders as numbers, cards at places, and four levels of randomness.

import { openChapters } from "../scripts/chapters.js";
import { openFrame } from "../scripts/frame.js";
import { openCounts, readCounts } from "./counts.js";
import { openNumber, readNumber } from "./digits.js";
import { openLevels, readLevels } from "./levels.js";
import { openMaps, readMaps } from "./maps.js";

openFrame();
openMaps();
openNumber();
openCounts();
openLevels();
openChapters([readMaps, readNumber, readCounts, readLevels]);
