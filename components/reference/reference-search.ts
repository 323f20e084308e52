import { memo } from 'react';
import { ErrorSection as Errors } from './error-section';
import { MethodSection as Methods } from './method-section';

/** What a search of the reference takes: every text of it, and what shows those that match. Loads with the first search. */
export { filterReference } from './filter-reference';
export const ErrorSection = memo(Errors);
export const MethodSection = memo(Methods);
