/** Oldest supported Node version. Equal to `engines` in package.json. */
export const oldestNode = '24.15.0';

/**
 * Returns whether a Node version is `oldestNode` or newer.
 * @param {string} version in the form of `process.versions.node`
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
