const EFFECT = 'CallExpression[callee.name=/^use(Layout|Insertion)?Effect$/]';

/**
 * Syntax that the lint refuses: effects that return something by accident. React calls what an effect returns when the
 * effect ends; a number or a promise there breaks the page, and only in browsers where the call returns one.
 */
export const EFFECT_RETURNS = [
  {
    // By its name nobody sees here what it returns.
    selector: `${EFFECT} > :matches(Identifier, MemberExpression, CallExpression, ConditionalExpression, LogicalExpression):first-child`,
    message:
      'React calls what an effect returns when it ends, and this may return anything. Write a function here that calls it.',
  },
  {
    selector: `${EFFECT} > ArrowFunctionExpression:first-child[body.type!=/^(BlockStatement|ArrowFunctionExpression)$/]`,
    message: 'React calls what an effect returns when it ends. Write a block, so that nothing is returned by accident.',
  },
  {
    selector: ['ReturnStatement >', 'ReturnStatement > ChainExpression >']
      .map(
        (path) =>
          `${EFFECT} ${path} CallExpression[callee.property.name=/^(scroll.*|focus|play|pause|animate|preload)$/]`,
      )
      .join(', '),
    message: 'What this returns, a promise in some browsers, is no clean-up: React would call it when the effect ends.',
  },
];
