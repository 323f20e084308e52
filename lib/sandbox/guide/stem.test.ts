import { describe, expect, it } from 'vitest';
import { stem } from './words';

describe('a stem', () => {
  /** Examples from Porter's paper, each with the result after all steps. */
  it.each(
    (
      'caresses caress, ponies poni, ties ti, cats cat, feed feed, agreed agre, plastered plaster, bled bled, motoring motor, sing sing, conflated conflat, troubled troubl, sized size, hopping hop, tanned tan, falling fall, hissing hiss, ' +
      'fizzed fizz, failing fail, filing file, happy happi, sky sky, relational relat, conditional condit, rational ration, valenci valenc, digitizer digit, radically radic, differently differ, vilely vile, analogously analog, ' +
      'vietnamization vietnam, predication predic, operator oper, feudalism feudal, decisiveness decis, hopefulness hope, callousness callous, formality formal, sensitivity sensit, triplicate triplic, formative form, formalize formal, ' +
      'electricity electr, electrical electr, goodness good, revival reviv, allowance allow, inference infer, airliner airlin, adjustable adjust, defensible defens, irritant irrit, replacement replac, adjustment adjust, dependent depend, ' +
      'adoption adopt, communism commun, activate activ, homologous homolog, effective effect, bowdlerize bowdler, probate probat, rate rate, cease ceas, controll control, roll roll'
    )
      .split(', ')
      .map((pair) => pair.split(' ') as [string, string]),
  )('of %s is %s', (word, expected) => expect(stem(word)).toBe(expected));

  it.each([
    ['staking', 'stakes', 'staked', 'stake'],
    ['attestations', 'attested', 'attestation', 'attest'],
    ['encryption', 'encrypted', 'encrypts', 'encrypt'],
    ['pricing', 'priced', 'prices', 'price'],
  ])('is the same for %s, %s, %s and %s', (...words) => expect(new Set(words.map(stem)).size).toBe(1));

  it.each(['x402', 'eth_getlogs', 'größe', 'id', ''])('leaves "%s" alone', (word) => expect(stem(word)).toBe(word));
});
