/** What a search of the reference takes: every text of it, and what shows those that match. Loads with the first search. */
export { filterReference } from './filter-reference';
export { ErrorSection } from './error-section';
export { MethodSection } from './method-section';
