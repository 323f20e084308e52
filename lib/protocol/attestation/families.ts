import { chutes } from './families/chutes';
import { nearCloud } from './families/near-cloud';
import { nearEcdsa, nearEd25519 } from './families/near';
import { phalaCloud } from './families/phala-cloud';
import { tinfoil } from './families/tinfoil';
import type { FamilyAdapter, FamilyAnswer } from './family';

/** All families, the more particular shapes first. */
export const FAMILIES: readonly FamilyAdapter[] = [nearCloud, phalaCloud, chutes, nearEd25519, nearEcdsa, tinfoil];

/** The family that these answers are of; undefined for none that is known. */
export function familyOf(answers: readonly FamilyAnswer[]): FamilyAdapter | undefined {
  return FAMILIES.find(({ isSpokenBy }) => isSpokenBy(answers));
}
