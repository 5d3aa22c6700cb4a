import './days.js';
import './parts.js';
import { Picker } from './picker.js';

for (const select of document.querySelectorAll<HTMLSelectElement>('[data-converter] select'))
  new Picker(select);
