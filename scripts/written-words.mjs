/** Two letters in a row, but for names of keys and code: `?`, `g` and `·` are no words. */
const WORD = '[A-Za-zÀ-ž]{2}';
const SAID = '^(title|label|name|alt|placeholder|description|heading|note|message|aria-label|aria-description|aria-roledescription|aria-valuetext)$';
const message = 'What a person reads stands in lib/browser/words, one file a page.';

/** For ESLint's `no-restricted-syntax`: text, and attributes that a person reads or hears, written into a component. */
export const WRITTEN_WORDS = [
  { selector: `:not(JSXElement[openingElement.name.name=/^(Kbd|code)$/]) > JSXText[value=/${WORD}/]`, message },
  { selector: `JSXAttribute[name.name=/${SAID}/] > Literal[value=/${WORD}/]`, message },
  { selector: `JSXAttribute[name.name=/${SAID}/] > JSXExpressionContainer TemplateElement[value.raw=/${WORD}/]`, message },
  { selector: `JSXAttribute[name.name=/${SAID}/] > JSXExpressionContainer > ConditionalExpression > Literal[value=/${WORD}/]`, message },
  { selector: `:matches(JSXElement, JSXFragment) > JSXExpressionContainer > :matches(Literal, TemplateLiteral > TemplateElement)[value=/${WORD}/]`, message },
  { selector: `:matches(JSXElement, JSXFragment) > JSXExpressionContainer > :matches(ConditionalExpression, LogicalExpression) > Literal[value=/${WORD}/]`, message },
  { selector: `:matches(JSXElement, JSXFragment) > JSXExpressionContainer > ConditionalExpression > ConditionalExpression > Literal[value=/${WORD}/]`, message },
  { selector: `:matches(JSXElement, JSXFragment) > JSXExpressionContainer > :matches(TemplateLiteral, ConditionalExpression > TemplateLiteral) > TemplateElement[value.raw=/${WORD}/]`, message },
];
