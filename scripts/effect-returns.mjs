const EFFECT = 'CallExpression[callee.name=/^use(Layout|Insertion)?Effect$/]';

/**
 * Lint rules against effects that return a value by accident. When an effect ends, React calls the returned value as a
 * function. A number or a promise then breaks the page. The mistake shows only in browsers where the called function
 * returns a value.
 */
export const EFFECT_RETURNS = [
  {
    // Finds effects written as a name or an expression, because their returned value is not visible.
    selector: `${EFFECT} > :matches(Identifier, MemberExpression, CallExpression, ConditionalExpression, LogicalExpression):first-child`,
    message:
      'When an effect ends, React calls what it returned, and this expression may return anything. Write a function here that calls it.',
  },
  {
    selector: `${EFFECT} > ArrowFunctionExpression:first-child[body.type!=/^(BlockStatement|ArrowFunctionExpression)$/]`,
    message:
      'When an effect ends, React calls what it returned. Write a block, so that the effect returns nothing by accident.',
  },
  {
    selector: ['ReturnStatement >', 'ReturnStatement > ChainExpression >']
      .map(
        (path) =>
          `${EFFECT} ${path} CallExpression[callee.property.name=/^(scroll.*|focus|play|pause|animate|preload)$/]`,
      )
      .join(', '),
    message:
      'This call returns a promise in some browsers, which React would call as a clean-up function when the effect ends. Do not return it.',
  },
];
