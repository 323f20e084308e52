export interface JsonTextEditorProps {
  value: string;
  onChange: (text: string) => void;
  label: string;
  describedBy: string;
  invalid: boolean;
  faultsOf: (text: string) => readonly TextFault[];
}

/** Fault in a text and its offset from 0; a null offset means the whole text. */
export interface TextFault {
  sentence: string;
  offset: number | null;
}
