import { childrenOf, type DerElement, expectTag, TAG } from './der';
import { oidOf } from './der-values';

const LABELS: Readonly<Record<string, string>> = {
  '2.5.4.3': 'CN',
  '2.5.4.6': 'C',
  '2.5.4.7': 'L',
  '2.5.4.8': 'ST',
  '2.5.4.10': 'O',
  '2.5.4.11': 'OU',
};
const CHARACTERS_MAX = 256;

/**
 * Formats a distinguished name for display, `CN=…, O=…`. Names must be compared by their bytes.
 *
 * @throws {Malformed}
 */
export function nameText(element: DerElement): string {
  const parts = childrenOf(expectTag(element, TAG.SEQUENCE)).flatMap((set) => childrenOf(expectTag(set, TAG.SET)));
  return parts
    .map((part) => {
      const [type, value] = childrenOf(expectTag(part, TAG.SEQUENCE));
      const oid = oidOf(type);
      return `${LABELS[oid] ?? oid}=${new TextDecoder().decode(value?.content.subarray(0, CHARACTERS_MAX))}`;
    })
    .join(', ');
}
