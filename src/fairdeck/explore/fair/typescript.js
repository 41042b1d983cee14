// Whether code looks like TypeScript. Asked only of code with a syntax error, for a better hint: JavaScript has none of these
// signs outside its strings and comments, or hardly ever.

const SILENT = /\/\*[\s\S]*?\*\/|\/\/.*|"(?:\\.|[^"\\\n])*"|'(?:\\.|[^'\\\n])*'|`(?:\\.|[^`\\])*`/g;
const SIGNS = [
  // The first argument, as in (deck: Card[]; the last; between them only types that all programs have, for an object
  // may hold `, b: c,`.
  /\(\s*(?:\.\.\.)?[\w$]+\??\s*:/,
  /,\s*(?:\.\.\.)?[\w$]+\??\s*:\s*[\w$.<>[\]| ]+\)/,
  /,\s*[\w$]+\??\s*:\s*(?:number|string|boolean|any|unknown)(?:\[\])*\s*,/,
  // ): number[] {
  /\)\s*:\s*[\w$[][\w$<>[\]| ]*(?:=>|\{)/,
  /\b(?:const|let|var)\s+[\w$]+!?\s*:/,
  /\b(?:interface|enum)\s+\w+[^;{}()]*\{/,
  /\btype\s+\w+\s*(?:<[^;{}()=]*>\s*)?=/,
  // function shuffle<T>( and = <T>(
  /\bfunction\s*[\w$]*\s*<|=\s*(?:async\s*)?<[\w$, ]+>\s*\(/,
  /[\w$)\]]\s+as\s+(?:const|number|string|any|unknown|[\w$]+\[\])/,
  // deck[i]! = deck[j]!;
  /\]!(?:\s*[;,)\].]|\s+=(?!=))/,
];

/** @type {(code: string) => boolean} */
export function looksLikeTypeScript(code) {
  const spoken = code.replace(SILENT, "''");
  return SIGNS.some((sign) => sign.test(spoken));
}
