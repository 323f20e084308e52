/** The oldest Node that is supported; the same as `engines` in package.json. */
export const oldestNode = '22.15.0';

/**
 * Whether a Node version is `oldestNode` or newer.
 * @param {string} version as in `process.versions.node`
 */
export function isSupportedNode(version) {
  const have = version.split('.').map(Number);
  const need = oldestNode.split('.').map(Number);
  for (let i = 0; i < need.length; i += 1) {
    const a = have[i] || 0;
    const b = need[i] || 0;
    if (a !== b) return a > b;
  }
  return true;
}
