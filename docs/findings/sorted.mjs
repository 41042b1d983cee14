// How often gsap's shuffle of three items leaves the last one last.
import { createRequire } from "node:module";
const { gsap } = createRequire(import.meta.url)("gsap");
let last = 0;
for (let i = 0; i < 12000; i++) last += gsap.utils.shuffle([0, 1, 2])[2] === 2;
console.log(`the last of 3 items stays last: ${last} of 12000, 4000 expected`);
