/** Two letters in a row, but for names of keys and code: `?`, `g` and `·` are no words. */
const WORD = '[A-Za-zÀ-ž]{2}';
/** The same where an entity stands as it is written: the letters of `&nbsp;` are none. */
const WORD_BESIDE_ENTITIES = '(?<![&A-Za-zÀ-ž])[A-Za-zÀ-ž]{2}';
const SAID =
  '^(title|label|name|alt|placeholder|description|heading|note|message|aria-label|aria-description|aria-roledescription|aria-valuetext)$';
const message = 'What a person reads stands in lib/browser/words, one file a page.';

/** For ESLint's `no-restricted-syntax`: text, and attributes that a person reads or hears, written into a component. */
export const WRITTEN_WORDS = [
  {
    selector: `:not(JSXElement[openingElement.name.name=/^(Kbd|code)$/]) > JSXText[value=/${WORD_BESIDE_ENTITIES}/]`,
    message,
  },
  { selector: `JSXAttribute[name.name=/${SAID}/] > Literal[value=/${WORD}/]`, message },
  {
    selector: `JSXAttribute[name.name=/${SAID}/] > JSXExpressionContainer TemplateElement[value.raw=/${WORD}/]`,
    message,
  },
  {
    selector: `JSXAttribute[name.name=/${SAID}/] > JSXExpressionContainer > ConditionalExpression > Literal[value=/${WORD}/]`,
    message,
  },
  {
    selector: `:matches(JSXElement, JSXFragment) > JSXExpressionContainer > :matches(Literal, TemplateLiteral > TemplateElement)[value=/${WORD}/]`,
    message,
  },
  {
    selector: `:matches(JSXElement, JSXFragment) > JSXExpressionContainer > :matches(ConditionalExpression, LogicalExpression) > Literal[value=/${WORD}/]`,
    message,
  },
  {
    selector: `:matches(JSXElement, JSXFragment) > JSXExpressionContainer > ConditionalExpression > ConditionalExpression > Literal[value=/${WORD}/]`,
    message,
  },
  {
    selector: `:matches(JSXElement, JSXFragment) > JSXExpressionContainer > :matches(TemplateLiteral, ConditionalExpression > TemplateLiteral) > TemplateElement[value.raw=/${WORD}/]`,
    message,
  },
];

/** Three words or more with a full stop after them: what nothing but a person reads. */
const SENTENCE = '^[A-ZÀ-Ž“][^\\n]* [^\\n]* [^\\n]*[.?!]$';
/** As it stands in a template: the last words of a sentence, whatever is put in before them. */
const END_OF_SENTENCE = '[a-z’]+ [^\\n]*[a-z’)]+[.?!]$';
const sentenceMessage =
  'A sentence for a person stands in lib/browser/words, one file a page; what chooses it takes it from there.';

/** What a program is told: no page shows it. */
const DEVELOPER_ERROR = 'NewExpression[callee.name=/^(Error|TimeoutError|ProviderError)$/]';
/** For ESLint's `no-restricted-syntax`, in what the pages are made of beside components: whole sentences. Shorter words are not told from names of fields and keys. */
export const WRITTEN_SENTENCES = [
  { selector: `:not(JSXAttribute, ${DEVELOPER_ERROR}) > Literal[value=/${SENTENCE}/]`, message: sentenceMessage },
  {
    selector: `:not(${DEVELOPER_ERROR}) > TemplateLiteral > TemplateElement[value.raw=/${END_OF_SENTENCE}/]`,
    message: sentenceMessage,
  },
];
