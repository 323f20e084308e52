import { createStoredValue } from '../stored-value';

/** Whether this browser was an operator's when it last asked. It opens nothing: it says whether the console names the page. */
export const seenOperator = createStoredValue<boolean>({
  key: 'turnpike.operator',
  initial: false,
  parse: (stored) => (stored === true ? true : null),
});
