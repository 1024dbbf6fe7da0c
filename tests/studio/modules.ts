// What modules_test.mjs looks at.
export { converted, inOrder } from "../../web/studio/field_controls";
export { isWritten, writtenText } from "../../web/studio/toml";
