/** @typedef {{test: string, request: {method: string, path: string, headers: Record<string, string>, body: string}, answer: {status: number, headers: Record<string, string>, body: string}}} Exchange */

/**
 * Compares two recordings of the same requests. Ignores the order of identical requests within a test, because parallel
 * requests may be answered in any order.
 *
 * @param {Map<string, string[]>} before by test file, one JSON line per exchange
 * @param {Map<string, string[]>} after
 * @returns {{same: number, differences: string[]}}
 */
export function compareRecordings(before, after) {
  let same = 0;
  /** @type {string[]} */
  const differences = [];
  for (const file of [...new Set([...before.keys(), ...after.keys()])].sort()) {
    const [old, now] = [byRequest(before.get(file) ?? []), byRequest(after.get(file) ?? [])];
    for (const [request, answers] of old) {
      const { common, missing, added } = bagDifference(answers, now.get(request) ?? []);
      same += common;
      if (missing.length + added.length > 0) differences.push(describe(file, request, missing, added));
    }
    for (const [request, answers] of now) if (!old.has(request)) differences.push(describe(file, request, [], answers));
  }
  return { same, differences };
}

/** @param {string[]} lines @returns {Map<string, string[]>} the answers by test and request */
function byRequest(lines) {
  /** @type {Map<string, string[]>} */
  const found = new Map();
  for (const line of lines) {
    const { test, request, answer } = /** @type {Exchange} */ (JSON.parse(line));
    const key = JSON.stringify({ test, request });
    found.set(key, [...(found.get(key) ?? []), JSON.stringify(answer)]);
  }
  return found;
}

/** @param {string[]} old @param {string[]} now */
function bagDifference(old, now) {
  const added = [...now];
  const missing = old.filter((answer) => {
    const at = added.indexOf(answer);
    if (at >= 0) added.splice(at, 1);
    return at < 0;
  });
  return { common: old.length - missing.length, missing, added };
}

/** @param {string} file @param {string} request @param {string[]} missing @param {string[]} added */
function describe(file, request, missing, added) {
  const { test, request: asked } = JSON.parse(request);
  return [
    `${file}: ${test}`,
    `  ${asked.method} ${asked.path}`,
    ...missing.map((answer) => `  - ${answer}`),
    ...added.map((answer) => `  + ${answer}`),
  ].join('\n');
}
