/** Reasons why a string is not JSON. The page adds the position. */
export const jsonFaultWords = {
  textAfterEnd: 'unexpected text after the end of the JSON value.',
  tooDeep: (levels: number) => `nested deeper than ${levels} levels.`,
  memberAfterComma: 'a comma must be followed by another member; remove it.',
  itemAfterComma: 'a comma must be followed by another item; remove it.',
  endInObject: 'the text ends inside an object.',
  endInArray: 'the text ends inside an array.',
  endBeforeValue: 'the text ends where a value is expected.',
  noMemberName: 'expected a member name in double quotes.',
  noColon: (key: string) => `expected ":" after the member name ${JSON.stringify(key)}.`,
  noCommaInObject: 'expected "," or "}" after a member.',
  noCommaInArray: 'expected "," or "]" after an item.',
  openString: 'this string is not closed, or has a line break or an unknown escape.',
  badNumber: 'this is not a JSON number; write large or hexadecimal values as "0x…" in quotes.',
  bareWord: (word: string) => `"${word}" is not a JSON value; text needs double quotes.`,
  singleQuotes: 'text needs double quotes, not single ones.',
  noValue: (start: string) => `${JSON.stringify(start)} is not the start of a JSON value.`,
} as const;
