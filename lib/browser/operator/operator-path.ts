/** Where the operator's page is, for operators; for everybody else there is no page. */
export const OPERATOR_PATH = '/operator';
