export interface JsonTextEditorProps {
  value: string;
  onChange: (text: string) => void;
  label: string;
  /** Id of the element that says what is wrong. */
  describedBy: string;
  invalid: boolean;
  /** What is wrong with a text, marked where it stands. */
  faultsOf: (text: string) => readonly TextFault[];
}

/** Something wrong with a text: what, and where from 0; null for all of it. */
export interface TextFault {
  sentence: string;
  offset: number | null;
}
