import './days.js';
import { Picker } from './picker.js';
import './chart.js';

for (const select of document.querySelectorAll<HTMLSelectElement>('[data-converter] select'))
  new Picker(select);
