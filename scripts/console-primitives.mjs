/**
 * Rules for ESLint's `no-restricted-syntax`. They forbid markup for which the console has a shared primitive component.
 */
export const CONSOLE_PRIMITIVES = [
  {
    selector: "JSXOpeningElement[name.name='summary']",
    message: 'Use Summary of components/ui/summary.tsx, which shows that it can be opened.',
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
      'When a control is disabled, the focus moves to the body of the page. Use Button, HeldButton, HeldChoice, Input or Select of components/ui.',
  },
  {
    selector:
      'CallExpression > MemberExpression[property.name=/^toLocale(Date|Time)String$/], CallExpression > MemberExpression[property.name="toLocaleString"][object.type="NewExpression"][object.callee.name="Date"]',
    message: 'Format dates and times with lib/browser/text/moments.ts, so that all look the same.',
  },
];
