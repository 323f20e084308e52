/**
 * Words that a full stop follows without ending a sentence, in lower case and without their last stop: of English, and
 * the most common ones of German, French, Spanish, Italian and Portuguese. Words that also end sentences often, such as
 * "etc" or "inc", are not here: those go on where a small letter follows.
 */
const ALWAYS = new Set(
  [
    // Titles stand before a name.
    'mr mrs ms mx dr prof rev hon st sr jr gen col lt maj capt cmdr sgt cpl pvt gov sen rep pres supt fr mme mlle messrs esq',
    'hr fr frl hrn dipl ing bzw usw ca evtl ggf inkl zzgl vgl sog',
    'sra srta dra dna ud uds vd vds sig sigg dott avv',
    // Explanations stand before what they explain.
    'e.g i.e eg ie vs cf viz al approx ca c.f resp p.s n.b a.k.a z.b d.h u.a s.o s.u p.ex',
    // What stands before something in capitals: places and departments.
    'mt ft ave blvd rd dept univ assn bros u.s u.k u.n e.u',
  ]
    .join(' ')
    .split(' '),
);

/** Words whose full stop ends no sentence where a digit follows: "No. 5", "Fig. 2", "pp. 10". */
const BEFORE_NUMBERS = new Set(
  'no nos nr n° num núm fig figs vol vols ch chap sec sect art p pp pg par para ver v op ed eq ex ext tel approx ca jan feb mar apr jun jul aug sep sept oct nov dec ab bd s st'.split(
    ' ',
  ),
);

const LAST_WORD = /(?<word>[\p{L}\p{M}°.'’-]*[\p{L}\p{M}°])\.\s*$/u;
const INITIAL = /(?:^|[\s("'“‘«.-])\p{Lu}\.\s*$/u;
const STARTS_WITH_DIGIT = /^\s*\p{Nd}/u;
/** A number or a letter that begins an entry of a list. */
const ENTRY_MARK = /^\s*(?:\p{Nd}{1,4}|[\p{L}])[.)]\s*$/u;

/**
 * Whether a piece of text ends in a full stop that is no sentence's: after an abbreviation, an initial of a name, or
 * the mark of an entry in a list.
 * @param next what follows it
 */
export function endsInAbbreviation(piece: string, next: string): boolean {
  if (ENTRY_MARK.test(piece) || INITIAL.test(piece)) return true;
  const word = LAST_WORD.exec(piece)?.groups?.['word']?.toLowerCase();
  if (word === undefined) return false;
  return ALWAYS.has(word) || (BEFORE_NUMBERS.has(word) && STARTS_WITH_DIGIT.test(next));
}
