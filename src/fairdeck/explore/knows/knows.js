// Who knows the order, and who can choose it? One device, several people, two deals, and what everybody sees.

import { openChapters } from "../scripts/chapters.js";
import { isAlone, openFrame } from "../scripts/frame.js";
import { openAlone, readAlone } from "./alone.js";
import { openCommon, readCommon } from "./common.js";
import { openPair, readPair } from "./pair.js";
import { openPiles, readPiles } from "./piles.js";

openFrame();
openAlone();
openCommon();
openPair();
openPiles();
for (const link of document.querySelectorAll(".site")) /** @type {any} */ (link).hidden = isAlone;
openChapters([readAlone, readCommon, readPair, readPiles]);
