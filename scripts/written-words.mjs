/** Two adjacent letters, which make a word. Single characters such as `?`, `g` and `·` are not words. */
const WORD = '[A-Za-zÀ-ž]{2}';
/** Matches words, but not the letters of an HTML entity such as `&nbsp;`. */
const WORD_BESIDE_ENTITIES = '(?<![&A-Za-zÀ-ž])[A-Za-zÀ-ž]{2}';
const SAID =
  '^(title|label|name|alt|placeholder|description|heading|note|message|aria-label|aria-description|aria-roledescription|aria-valuetext)$';
const message = 'Put text that people read into words.ts of the same folder.';

/**
 * Rules for ESLint's `no-restricted-syntax`. They find text that is written inside a component, and attributes that are
 * shown or read aloud.
 */
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

/** Matches three or more words that end with a full stop. Only people read such texts. */
const SENTENCE = '^[A-ZÀ-Ž“][^\\n]* [^\\n]* [^\\n]*[.?!]$';
/** Matches the end of a sentence in a template literal. */
const END_OF_SENTENCE = '[a-z’]+ [^\\n]*[a-z’)]+[.?!]$';
const sentenceMessage = 'Put sentences that people read into words.ts of the same folder, and import them from there.';

/** Matches errors for developers. No page shows them. */
const DEVELOPER_ERROR = 'NewExpression[callee.name=/^(Error|TimeoutError|ProviderError)$/]';
/**
 * Rules for ESLint's `no-restricted-syntax`. They find sentences in the pages' code outside components. They ignore
 * shorter texts, which cannot be told apart from field names and keys.
 */
export const WRITTEN_SENTENCES = [
  { selector: `:not(JSXAttribute, ${DEVELOPER_ERROR}) > Literal[value=/${SENTENCE}/]`, message: sentenceMessage },
  {
    selector: `:not(${DEVELOPER_ERROR}) > TemplateLiteral > TemplateElement[value.raw=/${END_OF_SENTENCE}/]`,
    message: sentenceMessage,
  },
];
