import { chutes } from './families/chutes';
import { nearCloud, nearEcdsa, nearEd25519 } from './families/near';
import { phalaCloud } from './families/phala-cloud';
import { tinfoil } from './families/tinfoil';
import type { FamilyAdapter, FamilyAnswer } from './family';

/** Adapters of all report families. Adapters for more specific formats come first, because the first match wins. */
export const FAMILIES: readonly FamilyAdapter[] = [nearCloud, phalaCloud, chutes, nearEd25519, nearEcdsa, tinfoil];

export function familyOf(answers: readonly FamilyAnswer[]): FamilyAdapter | undefined {
  return FAMILIES.find(({ isSpokenBy }) => isSpokenBy(answers));
}
