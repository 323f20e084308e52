/**
 * Abbreviations whose full stop ends no sentence, in lower case and without the final stop: English, German, French,
 * Spanish, Italian and Portuguese. Leaves out words that often end a sentence, such as "etc" or "inc".
 */
const ALWAYS = new Set(
  [
    // Mostly titles, which a name follows.
    'mr mrs ms mx dr prof rev hon st sr jr gen col lt maj capt cmdr sgt cpl pvt gov sen rep pres supt fr mme mlle messrs esq',
    'hr fr frl hrn dipl ing bzw usw ca evtl ggf inkl zzgl vgl sog',
    'sra srta dra dna ud uds vd vds sig sigg dott avv',
    // Abbreviations that introduce an explanation.
    'e.g i.e eg ie vs cf viz al approx ca c.f resp p.s n.b a.k.a z.b d.h u.a s.o s.u p.ex',
    // Places and departments, which a capital letter may follow.
    'mt ft ave blvd rd dept univ assn bros u.s u.k u.n e.u',
  ]
    .join(' ')
    .split(' '),
);

/** Abbreviations whose full stop ends no sentence if a digit follows: "No. 5", "Fig. 2", "pp. 10". */
const BEFORE_NUMBERS = new Set(
  'no nos nr n° num núm fig figs vol vols ch chap sec sect art p pp pg par para ver v op ed eq ex ext tel approx ca jan feb mar apr jun jul aug sep sept oct nov dec ab bd s st'.split(
    ' ',
  ),
);

const LAST_WORD = /(?<word>[\p{L}\p{M}°.'’-]*[\p{L}\p{M}°])\.\s*$/u;
const INITIAL = /(?:^|[\s("'“‘«.-])\p{Lu}\.\s*$/u;
const STARTS_WITH_DIGIT = /^\s*\p{Nd}/u;
/** Number or letter that starts a list entry. */
const ENTRY_MARK = /^\s*(?:\p{Nd}{1,4}|[\p{L}])[.)]\s*$/u;

/**
 * Returns whether a text's full stop ends no sentence, because it follows an abbreviation, an initial or a list number.
 *
 * @param next text after the full stop
 */
export function endsInAbbreviation(piece: string, next: string): boolean {
  if (ENTRY_MARK.test(piece) || INITIAL.test(piece)) return true;
  const word = LAST_WORD.exec(piece)?.groups?.['word']?.toLowerCase();
  if (word === undefined) return false;
  return ALWAYS.has(word) || (BEFORE_NUMBERS.has(word) && STARTS_WITH_DIGIT.test(next));
}
