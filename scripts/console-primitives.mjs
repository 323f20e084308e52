/**
 * Rules for ESLint's `no-restricted-syntax`. They forbid markup for which the console has a shared primitive component.
 */
export const CONSOLE_PRIMITIVES = [
  {
    selector: "JSXOpeningElement[name.name='summary']",
    message: 'Use Summary of components/ui/summary.tsx, which shows that it opens.',
  },
  {
    selector: "JSXOpeningElement[name.name='select']",
    message: 'Use Select of components/ui/select.tsx.',
  },
  {
    selector:
      "JSXOpeningElement[name.name=/^(input|Input)$/] > JSXAttribute[name.name='type'][value.value=/^(date|time|datetime-local|month|week)$/]",
    message: 'Use DateField of components/ui/date-field.tsx.',
  },
  {
    selector:
      "JSXOpeningElement[name.name=/^(button|input|textarea|fieldset)$/]:not(:has(JSXAttribute[name.name='readOnly'])) > JSXAttribute[name.name='disabled']",
    message:
      'A disabled control drops the focus on the body of the page: use Button, HeldButton, HeldChoice, Input or Select of components/ui.',
  },
  {
    selector:
      'CallExpression > MemberExpression[property.name=/^toLocale(Date|Time)String$/], CallExpression > MemberExpression[property.name="toLocaleString"][object.type="NewExpression"][object.callee.name="Date"]',
    message: 'Dates and times are written by lib/browser/text/moments.ts, in one way for all.',
  },
];
